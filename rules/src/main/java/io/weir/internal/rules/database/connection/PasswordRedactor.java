package io.weir.internal.rules.database.connection;

import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Keeps passwords out of messages. */
final class PasswordRedactor {
  private static final Pattern IN_ADDRESS =
      Pattern.compile("(?i)(pass(?:word|wd)?|secret)=[^&;\\s]*");
  private static final Pattern BEFORE_HOST = Pattern.compile("://[^/@\\s]*@");

  private PasswordRedactor() {}

  static String withoutPassword(String text) {
    return BEFORE_HOST.matcher(IN_ADDRESS.matcher(text).replaceAll("$1=…")).replaceAll("://…@");
  }

  /** Returns the same failure with all causes, as texts that show no password. */
  static SQLException withoutPassword(Throwable failure, String password) {
    String state = failure instanceof SQLException said ? said.getSQLState() : null;
    SQLException clean = new SQLException(clean(failure, password), state);
    clean.setStackTrace(failure.getStackTrace());
    @Nullable Throwable cause = failure.getCause();
    if (cause != null && cause != failure) {
      clean.initCause(withoutPassword(cause, password));
    }
    return clean;
  }

  private static String clean(Throwable failure, String password) {
    String text = withoutPassword(failure.toString());
    return password.isEmpty() ? text : text.replace(password, "…");
  }
}
