package io.weir.example.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with one web application, deployed from a directory as it would be from a war. */
record Server(Tomcat tomcat, InetAddress address, Path directory) implements AutoCloseable {
  private static final String WEB_XML = "WEB-INF/web.xml";

  /**
   * Starts Tomcat.
   *
   * @param address the address to listen on
   * @param port the port to listen on; 0 for any free port
   * @param attributes of the servlet context, by the names of their classes
   */
  static Server start(InetAddress address, int port, Object... attributes) throws IOException {
    Server server = new Server(new Tomcat(), address, Files.createTempDirectory("weir-example"));
    try {
      server.listen(port);
      server.run(server.application(), List.of(attributes));
      return server;
    } catch (IOException | RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  private void listen(int port) {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector().setProperty("address", address.getHostAddress());
  }

  private Context application() throws IOException {
    Path webApp = directory.resolve("webapp");
    Path webXml = webApp.resolve(WEB_XML);
    Files.createDirectories(webXml.getParent());
    try (InputStream in = Server.class.getResourceAsStream("/webapp/" + WEB_XML)) {
      Files.copy(Objects.requireNonNull(in), webXml);
    }
    tomcat.setAddDefaultWebXmlToWebapp(false); // the application serves no pages or files
    Context context = tomcat.addWebapp("", webApp.toString());
    // The classes are on the class path, not in WEB-INF.
    context.setParentClassLoader(Server.class.getClassLoader());
    return context;
  }

  private void run(Context context, List<Object> attributes) throws IOException {
    for (Object each : attributes) {
      context.getServletContext().setAttribute(each.getClass().getName(), each);
    }
    try {
      tomcat.start();
    } catch (LifecycleException failed) {
      throw new IOException(failed.getMessage(), failed);
    }
    // Tomcat only logs these two failures and goes on.
    if (!tomcat.getConnector().getState().isAvailable()) {
      throw new BindException();
    }
    if (!context.getState().isAvailable()) {
      throw new IOException("the web application couldn't start; see the log above");
    }
  }

  URI uri() {
    String host = address.getHostAddress();
    return URI.create(
        "http://"
            + (address instanceof Inet6Address ? "[" + host + "]" : host)
            + ":"
            + tomcat.getConnector().getLocalPort()
            + "/");
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
      System.clearProperty("catalina.home"); // or another Tomcat would create the directory again
      delete(directory);
    } catch (LifecycleException | IOException left) {
      System.getLogger("example")
          .log(System.Logger.Level.WARNING, "Temporary files couldn't be deleted", left);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(Server::deleteOne);
    }
  }

  private static void deleteOne(Path file) {
    try {
      Files.delete(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
