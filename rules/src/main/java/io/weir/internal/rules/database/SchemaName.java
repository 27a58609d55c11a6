package io.weir.internal.rules.database;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the schema of Weir's tables. In the code, as in the documents, SQL names them {@code
 * weir.rule_changes}; {@link #in} puts another schema's name in place of that.
 *
 * @param name lower-case letters, digits and underscores
 */
public record SchemaName(String name) {
  private static final Pattern ALLOWED = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Set<String> OF_OTHERS = Set.of("public", "information_schema");

  /** The schema of a table or function, or its name as a text. */
  private static final Pattern PLACES = Pattern.compile("(?<![\\w.'\"$])weir[.](?=\\w)|'weir'");

  public static final SchemaName USUAL = new SchemaName("weir");

  /** Throws {@link IllegalArgumentException} if it can't be a schema of Weir's own. */
  public SchemaName {
    if (!ALLOWED.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the schema of the rules must have 1 to 63 lower-case letters, digits and underscores,"
              + " and not begin with a digit: "
              + name);
    }
    if (OF_OTHERS.contains(name) || name.startsWith("pg_")) {
      throw new IllegalArgumentException(
          "the rules need a schema of their own: " + name + " belongs to the database");
    }
  }

  public String in(String sql, Dialect dialect) {
    if (equals(USUAL)) {
      return sql;
    }
    String identifier = Matcher.quoteReplacement(identifier(dialect) + ".");
    return PLACES
        .matcher(sql)
        .replaceAll(found -> found.group().startsWith("'") ? "'" + name + "'" : identifier);
  }

  /** Returns the name as SQL has it: in quotes, as it may be a word of SQL, unless it is usual. */
  public String identifier(Dialect dialect) {
    if (equals(USUAL)) {
      return name;
    }
    return '"' + (dialect == Dialect.H2 ? name.toUpperCase(Locale.ROOT) : name) + '"';
  }
}
