package io.weir.internal.cassandra;

/** Thrown if the keyspace or the table is missing and Weir may not make it. */
final class SchemaMissingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Explains what to do.
   *
   * @param why the reason for which Weir doesn't make it
   * @param cql the statements that make it
   */
  SchemaMissingException(String why, String cql) {
    super(why + ". This CQL creates it:\n" + cql.strip(), null, false, false);
  }
}
