package io.weir.internal.postgres;

import java.io.FileNotFoundException;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Reads what an operator has to change before a connection can be opened. */
final class ConnectionAdvice {
  private static final String LOGIN = "28";
  private static final String BY_DRIVER = "08004";
  private static final String CONNECTION = "08006";

  /** Where the server reads {@code pg_hba.conf}. */
  private static final String BY_HBA = "ClientAuthentication";

  /** Named in the driver's message in every language. */
  private static final String HOST_NAME = "HostnameVerifier";

  private ConnectionAdvice() {}

  /** Returns the advice; null if the failure may pass by itself, or isn't of a connection. */
  static @Nullable String of(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    if (state.startsWith(LOGIN)) {
      return login(failure);
    }
    return failure instanceof PSQLException said && said.getServerErrorMessage() == null
        ? byDriver(said, state)
        : null;
  }

  private static String login(SQLException failure) {
    return failure instanceof PSQLException said
            && said.getServerErrorMessage() != null
            && BY_HBA.equals(said.getServerErrorMessage().getRoutine())
        ? "it refuses the login: its pg_hba.conf allows none for this user, address and encryption."
            + " Correct pg_hba.conf, weir.store.postgres.user or weir.store.postgres.ssl-mode"
        : "it refuses the login. Correct weir.store.postgres.user and"
            + " weir.store.postgres.password";
  }

  private static @Nullable String byDriver(PSQLException failure, String state) {
    String message = String.valueOf(failure.getMessage());
    if (state.equals(BY_DRIVER)) {
      return "the driver can't log in: "
          + message
          + " Correct weir.store.postgres.ssl-mode, weir.store.postgres.user or"
          + " weir.store.postgres.password";
    }
    if (!state.equals(CONNECTION)) {
      return null;
    }
    if (message.contains(HOST_NAME)) {
      return "its certificate is for another host than weir.store names. Correct weir.store, or set"
          + " weir.store.postgres.ssl-mode=verify-ca";
    }
    if (isCausedBy(failure, FileNotFoundException.class)) {
      return "weir.store.postgres.ssl-root-cert must be a file of trusted certificates in PEM: "
          + message;
    }
    return isCausedBy(failure, CertificateException.class)
        ? "its certificate isn't trusted. Set weir.store.postgres.ssl-root-cert to a file with the"
            + " certificate of its CA"
        : null;
  }

  private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> kind) {
    Throwable cause = failure;
    while (cause != null && !kind.isInstance(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }
}
