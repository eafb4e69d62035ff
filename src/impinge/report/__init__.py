"""One self-contained HTML page about a result, with pictures from a small renderer of our own."""

from impinge.report.page import report_page, write_report

__all__ = ["report_page", "write_report"]
