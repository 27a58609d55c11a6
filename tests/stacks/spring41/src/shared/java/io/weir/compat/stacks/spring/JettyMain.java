package io.weir.compat.stacks.spring;

import io.weir.compat.stacks.spring.mvc.MvcApplication;
import java.io.IOException;

/** The application on Spring MVC and Jetty. */
public final class JettyMain {
  private JettyMain() {}

  public static void main(String[] args) throws IOException {
    SpringServer.run("Jetty", MvcApplication.class);
  }
}
