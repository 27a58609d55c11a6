package io.weir.example.servlet;

import io.weir.Weir;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Starts the example on the loopback interface and lets it run until Ctrl-C. */
public final class Main {
  /**
   * Tomcat and Flyway tell of each step, Weir would log the table again. Kept, since the logging
   * system would forget their level.
   */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("org.apache"),
          Logger.getLogger("org.flywaydb"),
          Logger.getLogger("io.weir.servlet"));

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    QUIET.forEach(each -> each.setLevel(Level.SEVERE));
    System.setProperty("org.apache.juli.formatter", OneLineLog.class.getName());
    try {
      Example example = Example.start(Port.chosen(), Weir.builder());
      Runtime.getRuntime().addShutdownHook(new Thread(example::close));
      System.out.println(example.weir().table());
      System.out.println("Limits are counted in " + example.weir().store());
      System.out.println("The example is at " + example.uri() + " (Ctrl-C stops it)");
    } catch (BindException taken) {
      giveUp("The port is taken: choose another with -Dport=… or PORT=…");
    } catch (IOException | RuntimeException mistake) {
      giveUp("The example can't start:\n" + mistake.getMessage());
    }
    Thread.currentThread().join();
  }

  /** Ends the whole process: threads of a server that has begun to start may still be there. */
  private static void giveUp(String why) {
    System.err.println(why);
    System.exit(1);
  }
}
