"""Who plays for those who are not there: bots' turns and NATURE's moves, taken by Celery workers.

A task is only a hint that a turn is open; the log decides. So tasks may be lost, doubled or late.
"""
