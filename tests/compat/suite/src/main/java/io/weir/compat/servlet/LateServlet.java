package io.weir.compat.servlet;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

/** Registers a limited servlet when all initializers have run. */
public final class LateServlet implements ServletContextListener {
  /** Made by the container. */
  public LateServlet() {}

  @Override
  public void contextInitialized(ServletContextEvent event) {
    event.getServletContext().addServlet("late", new WebXmlServlet()).addMapping("/late");
  }
}
