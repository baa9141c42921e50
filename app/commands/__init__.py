"""The commands of `gizmos`, a module for each family; `app.cli.COMMANDS` names them."""
