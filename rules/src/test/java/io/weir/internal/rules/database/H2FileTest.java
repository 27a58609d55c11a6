package io.weir.internal.rules.database;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract on an H2 in a file, opened as {@code weir.rules=jdbc:h2:file:…} does. */
class H2FileTest extends RuleDatabaseContract {
  @TempDir Path directory;

  private final List<OpenDatabase> open = new ArrayList<>();

  @Override
  DataSource fresh() {
    OpenDatabase database =
        Databases.connect(DatabaseSettings.of("jdbc:h2:file:" + directory.resolve("rules")));
    open.add(database);
    return database.source();
  }

  @AfterEach
  void close() {
    open.forEach(OpenDatabase::close);
  }
}
