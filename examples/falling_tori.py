"""Two soft tori: one is held at its bottom, the other falls on it and bounces.

python examples/falling_tori.py
"""

from impinge import simulate
from impinge.respond import penalty_forces


def main() -> None:
    world = simulate.World(gravity=(0.0, 0.0, -9.81), method="ray")
    torus = simulate.torus(major=1.0, minor=0.3, around=24, across=12)
    lower = world.add(torus, young=2e5, name="lower")
    upper = world.add(torus.moved((0.45, 0.0, 0.9), axis=(1, 0, 0), degrees=12), name="upper")
    world.fix(lower, lower.rest[:, 2] < -0.2)

    for number in range(1, 61):
        step = world.step(0.02)
        if number % 10 == 0:
            height = upper.positions[:, 2].mean()
            energy = world.energy().total
            print(
                f"{step.time:.1f} s: height {height:5.2f}, {step.contact_points:3d} contacts, "
                f"energy {energy:8.0f}"
            )

    # the scene of the world is one like any other
    crossing = world.scene.collide(method="bvh")
    common = simulate.overlap_volume(lower.body, upper.body)
    print(f"in the end {len(crossing)} pairs of faces cross, common volume {common:.5f}")
    print("largest force on a vertex:", largest_force(world))


def largest_force(world: simulate.World) -> str:
    """Contacts and their forces can be had without the solver."""
    contacts = world.scene.contact_points(method="ray")
    forces = penalty_forces(contacts, stiffness=1e4)
    size = max(float((f**2).sum(axis=1).max()) ** 0.5 for f in forces.bodies)
    return f"{size:.1f} of {len(contacts)} contacts"


if __name__ == "__main__":
    main()
