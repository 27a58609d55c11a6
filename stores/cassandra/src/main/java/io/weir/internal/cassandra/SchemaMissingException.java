package io.weir.internal.cassandra;

/** The keyspace or the table is missing, and Weir doesn't make it. */
final class SchemaMissingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Says what to do.
   *
   * @param why why it isn't made
   * @param cql what makes it
   */
  SchemaMissingException(String why, String cql) {
    super(why + ". This makes it:\n" + cql.strip(), null, false, false);
  }
}
