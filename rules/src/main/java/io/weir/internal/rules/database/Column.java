package io.weir.internal.rules.database;

/**
 * A column as the database has it.
 *
 * @param name in lower case
 * @param kind the type to read and write it as
 * @param length the most characters of a text; 0 of anything else
 * @param most the greatest number that it can have if that is a whole one of a few bytes, else
 *     {@link Long#MAX_VALUE}
 * @param isRequired whether it can't be NULL
 */
public record Column(String name, ColumnKind kind, int length, long most, boolean isRequired) {}
