package io.weir.compat.jetty120;

import io.weir.compat.servlet.ServletServer;
import jakarta.servlet.ServletContainerInitializer;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A Jetty that parses URIs strictly unless configured otherwise. */
interface JettyServer extends ServletServer {
  default UriCompliance uris() {
    return UriCompliance.DEFAULT;
  }

  @Override
  default Running start(Path webApp, ServletContainerInitializer initializer) throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(32_768);
    http.setUriCompliance(uris());
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    WebAppContext context = new WebAppContext(webApp.toString(), CONTEXT);
    context.setParentLoaderPriority(true);
    context.setThrowUnavailableOnStartupException(true);
    context.addServletContainerInitializer(initializer);
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception failed) {
      server.stop();
      throw failed;
    }
    return new Running(connector.getLocalPort(), server::stop);
  }
}
