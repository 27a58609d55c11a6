package io.weir.internal.postgres;

import java.sql.SQLException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Reads what failures of PostgreSQL mean. */
final class Failures {
  private static final Pattern PASSWORD = Pattern.compile("(?i)(password|user)=[^&\\s]*");
  private static final String NO_TABLE = "42P01";
  private static final String NO_SCHEMA = "3F000";
  private static final String NO_RIGHT = "42501";
  private static final String READ_ONLY = "25006";
  private static final String NO_DATABASE = "3D000";

  /** A named statement that the server doesn't have, or has already. */
  private static final Set<String> STATEMENT_NAMES = Set.of("26000", "42P05");

  /** A message that doesn't fit: of any kind, or to a statement that somebody else has named. */
  private static final String PROTOCOL_VIOLATION = "08P01";

  /** Where the server compares what it is sent with the statement of that name. */
  private static final Set<String> COMPARING = Set.of("exec_bind_message", "PortalSetResultFormat");

  /** Failures after which the connection works as before: of a statement alone. */
  private static final Set<String> OF_STATEMENT = Set.of("22", "23", "40", "42", "53", "54", "55");

  /** Only because of others at the same time, and without having done anything. */
  private static final Set<String> OF_OTHERS = Set.of("40001", "40P01");

  private static final String CANCELLED = "57014";
  private static final String LOCKED = "55P03";

  private Failures() {}

  static String state(SQLException failure) {
    String state = failure.getSQLState();
    return state == null ? "" : state;
  }

  /** Returns whether the table or its schema is missing. */
  static boolean isTableMissing(SQLException failure) {
    String state = state(failure);
    return state.equals(NO_TABLE) || state.equals(NO_SCHEMA);
  }

  static boolean isWithoutRight(SQLException failure) {
    return state(failure).equals(NO_RIGHT);
  }

  /** Returns whether the same statement may succeed at once. */
  static boolean isOfOthers(SQLException failure) {
    return OF_OTHERS.contains(state(failure));
  }

  /**
   * Returns whether the server has no statement of that name, or somebody else's. A message that
   * was spoilt on its way says nothing about names.
   */
  static boolean isOfStatementName(SQLException failure) {
    String state = state(failure);
    return STATEMENT_NAMES.contains(state)
        || state.equals(PROTOCOL_VIOLATION)
            && failure instanceof PSQLException said
            && said.getServerErrorMessage() != null
            && COMPARING.contains(String.valueOf(said.getServerErrorMessage().getRoutine()));
  }

  /**
   * Returns whether the connection can be used further. A server that takes no writes can't:
   * another one is the primary now.
   */
  static boolean leavesConnection(SQLException failure) {
    String state = state(failure);
    return state.equals(CANCELLED)
        || state.length() == 5
            && OF_STATEMENT.contains(state.substring(0, 2))
            && !isOfStatementName(failure);
  }

  /** Returns whether the server itself gave a statement up, because it or a lock took too long. */
  static boolean isTimeOut(SQLException failure) {
    String state = state(failure);
    return state.equals(CANCELLED) || state.equals(LOCKED);
  }

  /** Returns the advice to an operator; null if the failure may pass by itself. */
  static @Nullable String advice(SQLException failure, PostgresSettings settings) {
    String state = state(failure);
    return switch (state) {
      case NO_RIGHT ->
          "its user may not use "
              + settings.table()
              + ". Run as its owner, with the user's name instead of WEIR_USER:\n"
              + settings.grants();
      case READ_ONLY ->
          "it rejects writes. If it is a standby, name all hosts in weir.store and add"
              + " targetServerType=primary";
      case NO_DATABASE -> "the database doesn't exist. Create it, or correct weir.store";
      default -> ConnectionAdvice.of(failure);
    };
  }

  /** Describes a failure without passwords. */
  static String text(SQLException failure) {
    String message =
        failure instanceof PSQLException said && said.getServerErrorMessage() != null
            ? String.valueOf(said.getServerErrorMessage().getMessage())
            : String.valueOf(failure.getMessage());
    return PASSWORD.matcher(message).replaceAll("$1=…") + " (" + state(failure) + ")";
  }
}
