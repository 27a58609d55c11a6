package io.weir.internal.rules.assembly;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** With the password beside the file, as the page of rules says. */
class H2OwnClientTest extends OwnClientContract {
  @TempDir Path directory;

  @Override
  String address() {
    return "jdbc:h2:file:" + directory.resolve("rules");
  }

  @Override
  List<String> client(String statement) throws IOException {
    String password = Files.readString(directory.resolve("rules.password"));
    return shell(address() + ";AUTO_SERVER=TRUE", "weir", password, statement);
  }
}
