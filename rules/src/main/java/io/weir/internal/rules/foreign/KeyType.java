package io.weir.internal.rules.foreign;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The kinds of types that a {@code user_id} may have, and what a user of each looks like. */
enum KeyType {
  /** Compared as a text, by an index. */
  TEXT,
  /** Whole numbers of at most 64 bits. */
  WHOLE,
  /** Numbers of any length. */
  NUMBER,
  UUID,
  /** Anything else, such as an enum: its text is compared, without an index. */
  OTHER;

  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,17}");
  private static final Pattern CANONICAL_UUID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  static KeyType of(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "text",
          "varchar",
          "bpchar",
          "name",
          "character",
          "character varying",
          "varchar_ignorecase" ->
          TEXT;
      case "int2", "int4", "int8", "smallint", "integer", "bigint" -> WHOLE;
      case "numeric", "decimal" -> NUMBER;
      case "uuid" -> UUID;
      default -> OTHER;
    };
  }

  /**
   * Returns a user as a value of the type.
   *
   * @return empty if no row has this user: only the usual spelling is one
   */
  Optional<Object> value(String user) {
    return switch (this) {
      case TEXT, OTHER -> Optional.of(user);
      case WHOLE ->
          INTEGER.matcher(user).matches() ? Optional.of(Long.valueOf(user)) : Optional.empty();
      case NUMBER ->
          INTEGER.matcher(user).matches() ? Optional.of(new BigDecimal(user)) : Optional.empty();
      case UUID ->
          CANONICAL_UUID.matcher(user).matches()
              ? Optional.of(java.util.UUID.fromString(user))
              : Optional.empty();
    };
  }
}
