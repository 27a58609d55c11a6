package io.weir.internal.server.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.logging.LogManager;

/** The program {@code weir-server}. */
public final class Main {
  private static final String LOG_FILE = "java.util.logging.config.file";
  private static final String LOG_CLASS = "java.util.logging.config.class";

  private static final String LOGGING = "/io/weir/internal/server/logging.properties";

  private Main() {}

  /**
   * Starts the server, or runs a command, which {@code --help} lists.
   *
   * @throws IOException if the program's own files are missing
   */
  public static void main(String[] arguments) throws IOException {
    configureLogging();
    int status = ServerCommand.run(System.out, System.err, arguments);
    if (status != 0) {
      System.exit(status);
    }
  }

  private static void configureLogging() throws IOException {
    if (System.getProperty(LOG_FILE) == null && System.getProperty(LOG_CLASS) == null) {
      try (InputStream settings = Main.class.getResourceAsStream(LOGGING)) {
        LogManager.getLogManager().readConfiguration(settings);
      }
    }
  }
}
