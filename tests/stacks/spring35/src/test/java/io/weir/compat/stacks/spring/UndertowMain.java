package io.weir.compat.stacks.spring;

import io.weir.compat.stacks.spring.mvc.MvcApplication;
import java.io.IOException;

/** The application on Spring MVC and Undertow. */
public final class UndertowMain {
  private UndertowMain() {}

  public static void main(String[] args) throws IOException {
    SpringServer.run("Undertow", MvcApplication.class);
  }
}
