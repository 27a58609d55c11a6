package io.weir.spring.boot4;

import io.weir.spring.server.ArrivalHandler;
import io.weir.spring.server.ArrivalValve;
import io.weir.spring.server.ConnectionAddresses;
import io.weir.spring.server.ServerPreparation;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Valve;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.server.Server;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.http.server.HttpServer;

/**
 * Has each embedded server keep the address of the connection, and the fields of proxies as they
 * were received: with {@code server.forward-headers-strategy=native}, the default on Kubernetes and
 * other clouds, servers replace both by what any caller can send.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(WebServerFactoryCustomizer.class)
public class WeirConnectionAutoConfiguration {
  /** Tomcat. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Tomcat.class, ConfigurableTomcatWebServerFactory.class})
  static class Tomcats {
    @Bean
    ServerPreparation<ConfigurableTomcatWebServerFactory> weirTomcatCustomizer(
        ObjectProvider<ConnectionAddresses> addresses) {
      return new ServerPreparation<>(addresses) {
        @Override
        protected void prepare(ConfigurableTomcatWebServerFactory factory) {
          if (factory instanceof TomcatWebServerFactory usual) {
            List<Valve> valves = new ArrayList<>(usual.getEngineValves());
            valves.add(0, new ArrivalValve()); // others may replace the address
            usual.setEngineValves(valves);
          } else {
            factory.addEngineValves(new ArrivalValve());
          }
        }
      };
    }
  }

  /** Jetty. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Server.class, ConfigurableJettyWebServerFactory.class})
  static class Jetties {
    @Bean
    ServerPreparation<ConfigurableJettyWebServerFactory> weirJettyCustomizer(
        ObjectProvider<ConnectionAddresses> addresses) {
      return new ServerPreparation<>(addresses) {
        @Override
        protected void prepare(ConfigurableJettyWebServerFactory factory) {
          factory.addServerCustomizers(ArrivalHandler::addTo);
        }
      };
    }
  }

  /** Reactor Netty, whose requests know their connection. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HttpServer.class, NettyReactiveWebServerFactory.class})
  static class Netties {
    @Bean
    ServerPreparation<NettyReactiveWebServerFactory> weirNettyCustomizer(
        ObjectProvider<ConnectionAddresses> addresses) {
      return new ServerPreparation<>(addresses) {};
    }
  }
}
