package io.weir.control;

import io.weir.Weir;
import io.weir.rules.Rules;
import java.net.URI;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** The servlet, mapped to the version, behind a filter that signs in. */
class TomcatTest extends ControlSuite {
  @Override
  public Server start(Weir weir, Rules rules) {
    try {
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(Path.of("target", "tomcat").toAbsolutePath().toString());
      tomcat.setPort(0);
      tomcat.getConnector().setProperty("address", "127.0.0.1");
      Context context = tomcat.addContext("", null);
      Wrapper servlet =
          Tomcat.addServlet(context, "control", new ControlServlet(weir, rules));
      servlet.setLoadOnStartup(1);
      context.addServletMappingDecoded("/v1/*", "control");
      FilterDef filter = new FilterDef();
      filter.setFilterName("sign-in");
      filter.setFilter(new TestSignInFilter());
      context.addFilterDef(filter);
      FilterMap all = new FilterMap();
      all.setFilterName("sign-in");
      all.addURLPattern("/*");
      context.addFilterMap(all);
      tomcat.start();
      int port = tomcat.getConnector().getLocalPort();
      return new Server(URI.create("http://127.0.0.1:" + port), () -> stop(tomcat));
    } catch (LifecycleException failed) {
      throw new AssertionError(failed);
    }
  }

  private static void stop(Tomcat tomcat) {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException failed) {
      throw new AssertionError(failed);
    }
  }
}
