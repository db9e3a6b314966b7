"""Language models: the gateway to them, and the embedded one."""
