package io.weir.compat.servlet;

import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Path;

/** A servlet container that tests can start repeatedly. */
public interface ServletServer {
  /** The path of the application in each server. */
  String CONTEXT = "/app";

  /**
   * Starts a server with one application on a free port of the loopback address.
   *
   * @param webApp the application's directory, with a WEB-INF/web.xml
   * @param initializer runs before the application starts
   * @return the running server
   * @throws Exception if the application can't start
   */
  Running start(Path webApp, ServletContainerInitializer initializer) throws Exception;

  /**
   * A running server.
   *
   * @param port its port
   * @param stop stops it
   */
  record Running(int port, AutoCloseable stop) {}
}
