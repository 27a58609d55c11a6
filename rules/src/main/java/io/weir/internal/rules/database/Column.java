package io.weir.internal.rules.database;

/**
 * A column of a table.
 *
 * @param name in lower case
 * @param type the type to read and write it as
 * @param length the most characters of a text; 0 where there is no bound
 */
public record Column(String name, ColumnType type, int length) {}
