package io.weir.example.jersey;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Tomcat with Jersey as its only servlet. */
record Server(Tomcat tomcat, InetAddress address, Path directory) implements AutoCloseable {

  static Server start(InetAddress address, int port, ResourceConfig application)
      throws IOException {
    Server server = new Server(new Tomcat(), address, Files.createTempDirectory("weir-example"));
    try {
      server.run(port, application);
      return server;
    } catch (IOException | RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  private void run(int port, ResourceConfig application) throws IOException {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector().setProperty("address", address.getHostAddress());
    Context context = tomcat.addContext("", directory.toString());
    Wrapper jersey = Tomcat.addServlet(context, "jersey", new ServletContainer(application));
    jersey.setAsyncSupported(true);
    jersey.addMapping("/*");
    try {
      tomcat.start();
      jersey.allocate(); // reports mistakes now instead of with the first request
    } catch (LifecycleException | ServletException failed) {
      throw new IOException(failed.getMessage(), failed);
    }
    // Tomcat only logs this failure and goes on.
    if (!tomcat.getConnector().getState().isAvailable()) {
      throw new BindException();
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
