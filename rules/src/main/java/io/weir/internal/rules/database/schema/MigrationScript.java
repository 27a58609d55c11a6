package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;

/**
 * A script that makes tables. Once published it never changes, not even in a comment: databases
 * have its checksum.
 *
 * @param version the number in its name
 * @param description the rest of its name, as words
 * @param file its name, without a folder
 * @param checksum the CRC-32 of its lines, without their ends, as Flyway computed it for earlier
 *     versions of Weir
 * @param statements without the semicolons at their ends
 */
record MigrationScript(
    String version, String description, String file, int checksum, List<String> statements) {
  private static final String FOLDER = "/io/weir/rules/db/";

  /** The name of the schema in scripts, in quotes; a relic of Flyway. */
  private static final String SCHEMA = "${flyway:defaultSchema}";

  MigrationScript {
    statements = List.copyOf(statements);
  }

  /** Reads the scripts of a database, in the order in which they run. */
  static List<MigrationScript> of(Dialect dialect) {
    String folder = dialect.folder();
    List<String> files = new ArrayList<>();
    files.add("common/V1__tables.sql");
    files.add(folder + "/V2__history.sql");
    files.add(folder + "/V3__triggers.sql");
    files.add("common/V4__adopted.sql");
    if (dialect == Dialect.POSTGRESQL) {
      files.add(folder + "/V5__history_users.sql");
    }
    files.add(folder + "/V6__no_access_history.sql");
    files.add("common/V7__outcomes.sql");
    if (dialect == Dialect.POSTGRESQL) {
      files.add(folder + "/V8__room_for_sums.sql");
    }
    return files.stream().map(MigrationScript::read).toList();
  }

  private static MigrationScript read(String path) {
    String file = path.substring(path.indexOf('/') + 1);
    String[] name = file.replaceAll("^V|[.]sql$", "").split("__", 2);
    String text = text(FOLDER + path);
    return new MigrationScript(
        name[0], name[1].replace('_', ' '), file, checksum(text), split(text));
  }

  private static int checksum(String text) {
    CRC32 crc = new CRC32();
    text.lines().forEach(line -> crc.update(line.getBytes(StandardCharsets.UTF_8)));
    return (int) crc.getValue();
  }

  /** Statements end with a semicolon at the end of a line, outside of a function's body. */
  private static List<String> split(String script) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    boolean isBody = false;
    for (String line : script.split("\n")) {
      if (!isBody && (line.isBlank() || line.startsWith("--"))) {
        continue;
      }
      statement.append(line).append('\n');
      isBody ^= line.split("[$][$]", -1).length % 2 == 0;
      if (!isBody && line.endsWith(";")) {
        statements.add(statement.substring(0, statement.length() - 2));
        statement.setLength(0);
      }
    }
    if (!statement.isEmpty()) {
      throw new IllegalStateException("a statement has no end: " + statement);
    }
    return statements;
  }

  private static String text(String resource) {
    try (InputStream bytes = MigrationScript.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(bytes, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a statement for the tables of a schema. */
  static String in(String schema, String statement) {
    return statement.replace(SCHEMA, schema.replace("\"", "\"\""));
  }
}
