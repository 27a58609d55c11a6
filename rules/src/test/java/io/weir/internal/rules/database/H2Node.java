package io.weir.internal.rules.database;

/** A process that opens an H2 file as an application does, until it is ended. */
final class H2Node {
  static final String READY = "the file is open";

  private H2Node() {}

  public static void main(String[] args) throws InterruptedException {
    OpenDatabase open = Databases.connect(DatabaseSettings.of(args[0]));
    Databases.open(open.source(), true);
    System.out.println(READY);
    Thread.currentThread().join();
  }
}
