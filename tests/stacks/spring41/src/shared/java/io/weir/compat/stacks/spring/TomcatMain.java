package io.weir.compat.stacks.spring;

import io.weir.compat.stacks.spring.mvc.MvcApplication;
import java.io.IOException;

/** The application on Spring MVC and Tomcat. */
public final class TomcatMain {
  private TomcatMain() {}

  public static void main(String[] args) throws IOException {
    SpringServer.run("Tomcat", MvcApplication.class);
  }
}
