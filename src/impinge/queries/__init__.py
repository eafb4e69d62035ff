"""What can be asked: one module for each question, all on the way of `path`.

Check the options, plan, ask a detector, answer. Queries take meshes or bodies, never a `Scene`,
whose methods are these questions about many bodies.
"""
