package io.weir.compat.stacks.resteasy62;

import io.undertow.Undertow;
import io.undertow.servlet.api.DeploymentInfo;
import io.weir.compat.jaxrs.server.Server;
import jakarta.servlet.ServletException;
import jakarta.ws.rs.core.Application;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.netty.NettyJaxrsServer;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;
import org.jboss.resteasy.spi.ResteasyDeployment;

/** Starts applications of the suite in the JVM of the tests. */
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
    DeploymentInfo application = server.undertowDeployment(deployment(classes, instances), "/");
    application.setClassLoader(Servers.class.getClassLoader());
    application.setContextPath("/");
    application.setDeploymentName("suite");
    try {
      server.deploy(application);
    } catch (RuntimeException refused) {
      server.end();
      throw refused;
    }
    return new Server(URI.create("http://127.0.0.1:" + server.port()), server::end);
  }

  /** Starts an application on Netty. */
  static Server netty(Set<Class<?>> classes, Set<Object> instances) {
    ResteasyDeployment deployment = deployment(classes, instances);
    deployment.start();
    NettyJaxrsServer server = new NettyJaxrsServer();
    server.setDeployment(deployment).setHostname("127.0.0.1").setPort(0);
    server.start();
    return new Server(URI.create("http://127.0.0.1:" + server.getPort()), server::stop);
  }

  private static ResteasyDeployment deployment(Set<Class<?>> classes, Set<Object> instances) {
    ResteasyDeployment deployment = new ResteasyDeploymentImpl();
    deployment.setApplication(new GivenApplication(classes, instances));
    return deployment;
  }
}
