package io.weir.internal.rules.command;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;
import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.foreign.ForeignTables;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs the commands of the rules from the command line. */
public final class Main {
  private Main() {}

  /**
   * Runs a command on the database that {@code weir.rules} names.
   *
   * @throws IOException if {@code weir.properties} can't be read
   */
  public static void main(String[] arguments) throws IOException {
    CommandSettings read = CommandSettings.read(System.getProperties(), System.getenv());
    DatabaseSettings settings = read.database();
    boolean mayMigrate = read.mayMigrate();
    int status;
    try (OpenDatabase database = DatabaseOpener.connect(settings)) {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      status =
          new RulesCommand(
                  isChanged -> rows(database, isChanged && mayMigrate, read),
                  out,
                  System.err,
                  System.getProperty("user.name", "unknown"),
                  Ticker.system())
              .run(List.of(arguments));
    }
    if (status != RulesCommand.DONE) {
      System.exit(status);
    }
  }

  private static VersionedRowEditor rows(
      OpenDatabase database, boolean migrates, CommandSettings read) {
    RuleDatabase rows =
        DatabaseOpener.open(database.source(), migrates, read.schema(), read.owners());
    ForeignTables foreign = new ForeignTables(rows, read.tables());
    foreign.look();
    return new VersionedRowEditor(rows, foreign, () -> {});
  }
}
