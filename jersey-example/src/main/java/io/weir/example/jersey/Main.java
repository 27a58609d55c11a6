package io.weir.example.jersey;

import io.weir.Weir;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Starts the example on the loopback interface and runs it until Ctrl-C. */
public final class Main {
  /**
   * Silences warnings of optional libraries (Jersey), each step (Tomcat) and a second copy of the
   * table (Weir). Held, since the logging system drops unreferenced loggers and their levels.
   */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("org.glassfish"),
          Logger.getLogger("org.apache"),
          Logger.getLogger("io.weir.jaxrs"));

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    QUIET.forEach(each -> each.setLevel(Level.SEVERE));
    try {
      Example example = Example.start(Host.chosen(), Port.chosen(), Weir.builder());
      Runtime.getRuntime().addShutdownHook(new Thread(example::close));
      System.out.println(example.weir().table());
      System.out.println("Limits are counted in " + example.weir().store());
      if (example.weir().source().isPresent()) { // the console is about rules
        System.out.println("The console is at " + example.uri() + "v1/console/ (admin/admin)");
      }
      System.out.println("The example is at " + example.uri() + " (Ctrl-C stops it)");
    } catch (BindException taken) {
      giveUp("The port is in use. Choose another one with -Dport=… or PORT=…");
    } catch (IOException | RuntimeException mistake) {
      giveUp("The example couldn't start:\n" + mistake.getMessage());
    }
    Thread.currentThread().join();
  }

  /** Ends the process, since threads of a half-started server may still run. */
  private static void giveUp(String message) {
    System.err.println(message);
    System.exit(1);
  }
}
