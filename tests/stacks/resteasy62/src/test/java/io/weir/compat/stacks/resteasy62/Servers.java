package io.weir.compat.stacks.resteasy62;

import io.undertow.Undertow;
import io.undertow.servlet.api.DeploymentInfo;
import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.stack.Ports;
import jakarta.servlet.ServletException;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.netty.NettyJaxrsServer;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;
import org.jboss.resteasy.plugins.server.vertx.VertxJaxrsServer;
import org.jboss.resteasy.plugins.server.vertx.VertxResteasyDeployment;
import org.jboss.resteasy.spi.ResteasyDeployment;

/** Starts applications of the suite in the JVM of the tests. */
@SuppressWarnings({"deprecation", "removal"}) // RESTEasy has no other embedded servers yet
final class Servers {
  private Servers() {}

  /** An application of given parts. */
  private static final class GivenApplication extends Application {
    private final Set<Class<?>> classes;
    private final Set<Object> instances;

    GivenApplication(Set<Class<?>> classes, Set<Object> instances) {
      this.classes = classes;
      this.instances = instances;
    }

    @Override
    public Set<Class<?>> getClasses() {
      return classes;
    }

    @Override
    public Set<Object> getSingletons() {
      return instances;
    }
  }

  /** Shows the port that the system has chosen. */
  private static final class UndertowServer extends UndertowJaxrsServer {
    int port() {
      return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    void end() throws ServletException {
      if (manager != null && manager.getDeployment() != null) {
        manager.stop();
        manager.undeploy();
      }
      stop();
    }
  }

  /** Starts an application on Undertow. */
  static Server undertow(Set<Class<?>> classes, Set<Object> instances) throws Exception {
    UndertowServer server = new UndertowServer();
    server.start(Undertow.builder().addHttpListener(0, "127.0.0.1"));
    ResteasyDeployment deployment = deployment(classes, instances);
    DeploymentInfo application = server.undertowDeployment(deployment, "/");
    application.setClassLoader(Thread.currentThread().getContextClassLoader());
    application.setContextPath("/");
    application.setDeploymentName("suite");
    try {
      server.deploy(application);
    } catch (RuntimeException refused) {
      server.end();
      deployment.stop();
      throw refused;
    }
    return new Server(URI.create("http://127.0.0.1:" + server.port()), server::end);
  }

  /** Starts an application on Netty, with one event loop. */
  static Server netty(Set<Class<?>> classes, Set<Object> instances) {
    ResteasyDeployment deployment = deployment(classes, instances);
    deployment.start();
    NettyJaxrsServer server = new NettyJaxrsServer();
    server.setIoWorkerCount(1).setExecutorThreadCount(1);
    server.setDeployment(deployment).setHostname("127.0.0.1").setPort(0);
    server.start();
    return new Server(URI.create("http://127.0.0.1:" + server.getPort()), server::stop);
  }

  /** Starts an application on Vert.x, with one event loop. */
  static Server vertx(Set<Class<?>> classes, Set<Object> instances) throws IOException {
    VertxResteasyDeployment deployment = new VertxResteasyDeployment();
    deployment.setApplication(new GivenApplication(classes, instances));
    VertxJaxrsServer server = new VertxJaxrsServer();
    server.getVertxOptions().setEventLoopPoolSize(1);
    int port = Ports.free(); // the server doesn't report one that the system has chosen
    server.setDeployment(deployment).setHostname("127.0.0.1").setPort(port);
    server.start();
    return new Server(URI.create("http://127.0.0.1:" + port), server::stop);
  }

  static ResteasyDeployment deployment(Set<Class<?>> classes, Set<Object> instances) {
    ResteasyDeployment deployment = new ResteasyDeploymentImpl();
    deployment.setApplication(new GivenApplication(classes, instances));
    return deployment;
  }
}
