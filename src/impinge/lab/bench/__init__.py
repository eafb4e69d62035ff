"""The benchmark anyone can run: the same questions to impinge and to the peers found here."""
