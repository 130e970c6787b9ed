#!/usr/bin/env python3
"""Prints what Intelephense, the language server of many editors, finds in PHP files.

    intelephense.py SERVER ROOT FILE...

SERVER is the path of intelephense.js. It reads all PHP files below ROOT first, and then checks each FILE, which is below
ROOT, too. Each finding is a line FILE:LINE: MESSAGE.
Exit status: 0 if nothing was found, 1 if something was, 2 if the server fails.
"""
import json
import os
import subprocess
import sys
import tempfile
import threading
from urllib.parse import quote

SECONDS = 300  # the limit for the server's whole run
WARNING = 2    # errors have the severity 1; hints have 3 and 4
SETTINGS = {'stubs': ['Core', 'SPL', 'standard', 'date', 'json', 'hash', 'pcre', 'random', 'Reflection', 'filter', 'ctype', 'dom',
                      'mbstring', 'PDO', 'posix', 'redis', 'memcached', 'sodium', 'session', 'openssl', 'zlib']}


def uri(path):
    return 'file://' + quote(path)


class Server:
    """Speaks the Language Server Protocol with a process."""

    def __init__(self, script, root, storage):
        self.process = subprocess.Popen(['node', script, '--stdio'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.timer = threading.Timer(SECONDS, self.process.kill)
        self.timer.start()
        self.request('initialize', {
            'processId': os.getpid(), 'rootUri': uri(root), 'workspaceFolders': [{'uri': uri(root), 'name': 'root'}],
            'capabilities': {}, 'initializationOptions': {'storagePath': storage, 'globalStoragePath': storage}})
        self.notify('initialized', {})
        self.wait('indexingEnded')

    def check(self, file):
        """Returns the findings in a file."""
        with open(file, encoding='utf-8') as text:
            document = {'uri': uri(file), 'languageId': 'php', 'version': 1, 'text': text.read()}
        self.notify('textDocument/didOpen', {'textDocument': document})
        while True:
            params = self.wait('textDocument/publishDiagnostics')['params']
            if params['uri'] == document['uri']:
                return params['diagnostics']

    def end(self):
        self.request('shutdown', None)
        self.notify('exit', None)
        self.process.wait()
        self.timer.cancel()

    def request(self, method, params):
        self.send({'id': 1, 'method': method, 'params': params})
        while True:
            message = self.receive()
            if message.get('id') == 1 and 'method' not in message:
                return

    def notify(self, method, params):
        self.send({'method': method, 'params': params})

    def wait(self, method):
        while True:
            message = self.receive()
            if message.get('method') == method:
                return message

    def send(self, message):
        body = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n%s' % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        """Returns the next message. Requests of the server get an answer."""
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                print(f'the server ended, or took more than {SECONDS} seconds', file=sys.stderr)
                sys.exit(2)
            if line == b'\r\n':
                break
            name, value = line.split(b':', 1)
            if name.lower() == b'content-length':
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        if 'id' in message and 'method' in message:
            items = message.get('params', {}).get('items')
            self.send({'id': message['id'], 'result': items and [SETTINGS for _ in items]})
        return message


def main(script, root, *files):
    findings = 0
    with tempfile.TemporaryDirectory() as storage:
        server = Server(script, os.path.realpath(root), storage)
        for file in files:
            for found in server.check(os.path.realpath(file)):
                if found.get('severity', 1) <= WARNING:
                    print(f"{file}:{found['range']['start']['line'] + 1}: {found['message']}")
                    findings += 1
        server.end()
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
