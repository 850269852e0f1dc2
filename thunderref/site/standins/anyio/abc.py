"""Only named by annotations."""


class TaskGroup: ...
