package io.weir.control;

import io.weir.Weir;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.net.URI;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

@OneDayIn(2)
@RunOneIn(5)
class GrizzlyTest extends ControlSuite {
  @Override
  public Server start(Weir weir, Rules rules) {
    ResourceConfig application =
        new ResourceConfig().register(new TestSignIn()).register(new ControlFeature(weir, rules));
    HttpServer server =
        GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
    int port = server.getListener("grizzly").getPort();
    return new Server(URI.create("http://127.0.0.1:" + port), server::shutdownNow);
  }
}
