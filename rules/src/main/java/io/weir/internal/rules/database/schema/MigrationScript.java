package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.ScriptText;
import io.weir.internal.rules.database.TableColumns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A script that makes tables. Once released it never changes, not even in a comment: databases have
 * its checksum. Each statement leaves alone what is there already.
 *
 * @param version the number in its name
 * @param file its name, without a folder
 * @param checksum the CRC-32 of its lines, without their ends
 * @param statements without the semicolons at their ends
 */
record MigrationScript(String version, String file, int checksum, List<String> statements) {
  MigrationScript {
    statements = List.copyOf(statements);
  }

  /** Reads the scripts of a database, in the order in which they run. */
  static List<MigrationScript> of(Dialect dialect) {
    return Stream.concat(TableColumns.SCRIPTS.stream(), histories(dialect))
        .map(MigrationScript::read)
        .sorted(Comparator.comparing(script -> Integer.valueOf(script.version)))
        .toList();
  }

  /** Returns the scripts of triggers. What H2's do is in Java, of this version. */
  private static Stream<String> histories(Dialect dialect) {
    Stream<String> ofBoth = Stream.of("/V2__history.sql", "/V5__access_list_history.sql");
    return (dialect == Dialect.H2
            ? ofBoth
            : Stream.concat(ofBoth, Stream.of("/V7__ban_history.sql")))
        .map(file -> dialect.folder() + file);
  }

  private static MigrationScript read(String path) {
    String file = path.substring(path.indexOf('/') + 1);
    String version = file.substring(1, file.indexOf("__"));
    String text = ScriptText.read(path);
    return new MigrationScript(version, file, checksum(text), split(text));
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
}
