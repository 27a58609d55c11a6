package io.weir.internal.rules.database;

/** The rows that changes of the feed come with: each is JSON of hundreds of characters. */
public enum ChangeDetail {
  /** Each change has the row before and after it. */
  ALL_ROWS,
  /** Changes of the tables of which nodes hold all rows come without them. */
  WITHOUT_RULES
}
