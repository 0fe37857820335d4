"""The files of the tests' hub: the shipped configuration, the users, the certificates."""
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "deploy/fleet"
PASSWORD = "secret"


class HubFiles:
    """The part of Hub that writes files."""

    def home(self, i):
        """The folder of server i."""
        return self.folder / f"hub-{i + 1}"

    def _write_files(self):
        """The shipped files, with this folder in place of /etc/spotter-hub."""
        users = self._users()
        for i in range(3):
            home = self.home(i)
            shutil.copy(FILES / "nats/hub.conf", home / "hub.conf")
            (home / "users.conf").write_text(users)
            chosen = {"tls.conf": {True: "tls.conf", "passwords": "tls-passwords.conf"}.get(self.tls),
                      "cluster-tls.conf": "cluster-tls.conf" if self.tls else None}
            for name, source in chosen.items():
                text = (FILES / "nats" / source).read_text() if source else ""
                text = text.replace("/etc/spotter-hub/certificates/server.", f"{self.folder}/certificates/hub-{i + 1}.")
                (home / name).write_text(text.replace("/etc/spotter-hub", str(self.folder)))

    def _users(self):
        """users.conf, written by users.sh, with the two users of the tests."""
        secret = "-" if self.tls is True else PASSWORD
        lines = []
        for role, *names in [*self.members, ("operator", "operator")]:
            site, name = (names[0], names[1]) if role == "node" else ("-", names[0])
            user = self.logins.get(name, f"gym-{name}" if role == "gym" else name)
            lines.append(f"{role} {site} {name} {user} {PASSWORD if role == 'operator' else secret}\n")
        (self.folder / "members").write_text("".join(lines))
        script = FILES / "nats/users.sh"
        subprocess.run([str(script), "write"], env=dict(os.environ, HUB=str(self.folder)), check=True)
        text = (self.folder / "users.conf").read_text()
        word = "" if self.tls is True else f", password: {PASSWORD}"
        own = "".join(
            f'        {{user: {user}{word}, permissions: {{publish: {rights}, subscribe: {rights}}}}}\n'
            for user, rights in (
                ("tester", '["spotter", "spotter.>", "homeassistant.>", "spotter-conformance.>"]'),
                ("probe", '"spotter-probe.>"')))
        return text.replace("    users: [\n", "    users: [\n" + own)

    def _make_certificates(self):
        for i in range(3):
            self.certify("server", f"hub-{i + 1}", "localhost", "127.0.0.1")
        for name in ["tester", "probe"] + [f"gym-{m[1]}" if m[0] == "gym" else m[-1] for m in self.members]:
            if not self.certificate(name)[0].exists():
                self.certify("client", name)

    def certify(self, *words):
        """Runs certificates.sh."""
        environment = dict(os.environ, CERTIFICATES=str(self.folder / "certificates"))
        subprocess.run([str(FILES / "certificates.sh"), *words], env=environment, check=True, stdout=subprocess.DEVNULL)

    def certificate(self, name):
        """The files of a member's certificate and key."""
        return (self.folder / f"certificates/{name}.crt", self.folder / f"certificates/{name}.key")

    @property
    def ca_file(self):
        return self.folder / "certificates/ca.crt"
