package io.weir.internal.server.command;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine;

/** Returns the version for {@code --version}. */
final class VersionProvider implements CommandLine.IVersionProvider {
  private static final String FILE = "/io/weir/internal/server/version.properties";

  VersionProvider() {}

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = VersionProvider.class.getResourceAsStream(FILE)) {
      properties.load(in);
    }
    return new String[] {"weir-server " + properties.getProperty("version", "unknown")};
  }
}
