package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.SchemaName;

/** A row that can't be used as it is, or a warning about a row. */
@SchemaName("ProblemDocument")
record RowProblemDocument(
    String table, String row, String field, String message, boolean isWarning) {}
