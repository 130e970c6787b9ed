"""Parses the OpenMetrics text on standard input with the official parser, and prints its families as JSON."""
import json
import sys

from prometheus_client.openmetrics.parser import text_fd_to_metric_families

sys.stdin.reconfigure(encoding='utf-8', errors='strict', newline='\n')
print(json.dumps({
    family.name: {
        'type': family.type,
        'unit': family.unit,
        'help': family.documentation,
        'samples': [[sample.name, sample.labels, sample.value] for sample in family.samples],
    }
    for family in text_fd_to_metric_families(sys.stdin)
}))
