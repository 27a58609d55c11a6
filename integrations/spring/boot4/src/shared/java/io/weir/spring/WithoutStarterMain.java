package io.weir.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Starts an application twice that names no class of Weir. */
@EnableAutoConfiguration
public class WithoutStarterMain {
  /** Spring makes it. */
  public WithoutStarterMain() {}

  /**
   * Starts and stops it twice.
   *
   * @param arguments the kind of web application
   */
  public static void main(String[] arguments) {
    for (int each = 0; each < 2; each++) {
      SpringApplication.run(
              WithoutStarterMain.class,
              "--server.port=0",
              "--spring.main.lazy-initialization=true",
              "--spring.main.web-application-type=" + arguments[0])
          .close();
    }
    System.out.println("2 served");
    System.exit(0);
  }
}
