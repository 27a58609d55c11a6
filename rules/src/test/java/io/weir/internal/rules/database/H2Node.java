package io.weir.internal.rules.database;

import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import io.weir.internal.rules.database.connection.OpenDatabase;

/** A process that opens an H2 file as an application does, until it is ended. */
public final class H2Node {
  public static final String READY = "the file is open";

  private H2Node() {}

  public static void main(String[] args) throws InterruptedException {
    OpenDatabase open = DatabaseOpener.connect(DatabaseSettings.of(args[0]));
    DatabaseOpener.open(open.source(), true);
    System.out.println(READY);
    Thread.currentThread().join();
  }
}
