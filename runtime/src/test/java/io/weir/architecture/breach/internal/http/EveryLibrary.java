package io.weir.architecture.breach.internal.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.github.benmanes.caffeine.cache.Cache;
import com.sun.management.OperatingSystemMXBean;
import inet.ipaddr.IPAddress;
import io.github.bucket4j.Bucket;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Span;
import jakarta.annotation.Priority;
import jakarta.inject.Provider;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.core.Response;
import java.util.logging.Logger;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.message.Message;
import org.aspectj.lang.ProceedingJoinPoint;
import org.eclipse.jetty.server.Server;
import org.eclipse.microprofile.config.Config;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.jersey.server.ResourceConfig;
import org.jboss.resteasy.spi.HttpRequest;
import org.junit.jupiter.api.TestInfo;
import org.springframework.context.ApplicationListener;
import redis.clients.jedis.UnifiedJedis;

/** Away from every library's home. */
interface EveryLibrary {
  Response jaxrs();

  Servlet servlet();

  Priority annotation();

  Provider<?> inject();

  ProceedingJoinPoint aspectj();

  Cache<?, ?> caffeine();

  IPAddress addresses();

  MeterRegistry micrometer();

  Span opentelemetry();

  Config microprofile();

  Request grizzly();

  ResourceConfig jersey();

  Server jetty();

  HttpRequest resteasy();

  Message cxf();

  ApplicationListener<?> spring();

  OperatingSystemMXBean management();

  XMLStreamReader xml();

  Bucket bucket4j();

  UnifiedJedis jedis();

  JsonFactory jackson();

  TestInfo another();

  Logger logger();
}
