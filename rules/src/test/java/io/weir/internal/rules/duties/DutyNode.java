package io.weir.internal.rules.duties;

import io.weir.internal.rules.database.connection.DatabaseOpener;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** A process that has the duty until it is ended. */
final class DutyNode {
  static final String MINE = "it is mine";

  private DutyNode() {}

  public static void main(String[] args) throws InterruptedException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(args[0]);
    Duties duties =
        new Duties(
            DatabaseOpener.open(source, false),
            "usage",
            "other",
            Duration.ofMillis(Long.parseLong(args[1])));
    duties.start();
    while (!duties.isMine()) {
      Thread.sleep(10);
    }
    System.out.println(MINE);
    Thread.currentThread().join();
  }
}
