package io.weir.spring.boot4;

import io.weir.spring.WeirAutoConfiguration;
import io.weir.spring.store.RedisDetails;
import io.weir.spring.store.RedisDetails.Server;
import io.weir.spring.store.RedisDetailsFinder;
import io.weir.spring.store.SpringRedisProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Finds the Redis of the application: that of its properties, or of a service connection. */
@AutoConfiguration(before = WeirAutoConfiguration.class, after = DataRedisAutoConfiguration.class)
@ConditionalOnClass(DataRedisConnectionDetails.class)
public class WeirRedisAutoConfiguration {
  /** The details that Spring Boot makes of properties, also if none of them is set. */
  private static final String OF_PROPERTIES = "PropertiesDataRedisConnectionDetails";

  /**
   * Makes the finder.
   *
   * @param details the application's, if it has any
   * @param environment has the properties
   * @return finds Redis when it is asked
   */
  @Bean
  RedisDetailsFinder weirRedisDetails(
      ObjectProvider<DataRedisConnectionDetails> details, Environment environment) {
    return () -> find(details.getIfAvailable(), environment);
  }

  private static RedisDetails find(
      @Nullable DataRedisConnectionDetails found, Environment environment) {
    if (found == null) {
      throw new IllegalArgumentException(
          "weir.store=spring takes the address from Spring's Redis, but the application has no bean"
              + " of the type DataRedisConnectionDetails. Add spring-boot-starter-data-redis, or set"
              + " weir.store to an address such as redis://redis.example.org:6379");
    }
    boolean isOfProperties = found.getClass().getSimpleName().equals(OF_PROPERTIES);
    if (isOfProperties) {
      SpringRedisProperties.requireAddress(environment);
    }
    RedisDetails login = address(found).login(found.getUsername(), found.getPassword());
    return SpringRedisProperties.encrypt(login, found::getSslBundle, isOfProperties, environment);
  }

  private static RedisDetails address(DataRedisConnectionDetails found) {
    if (found.getMasterReplica() != null) {
      throw new IllegalArgumentException(
          "weir.store=spring can't use spring.data.redis.masterreplica.nodes, since nothing there"
              + " says which node is the master. Set weir.store to the address of the master, or"
              + " use sentinels");
    }
    Sentinel sentinel = found.getSentinel();
    if (sentinel != null) {
      return RedisDetails.sentinel(
              servers(sentinel.getNodes()), sentinel.getMaster(), sentinel.getDatabase())
          .sentinelLogin(sentinel.getUsername(), sentinel.getPassword());
    }
    Cluster cluster = found.getCluster();
    if (cluster != null) {
      return RedisDetails.cluster(servers(cluster.getNodes()));
    }
    Standalone single = found.getStandalone();
    if (single == null) {
      throw new IllegalArgumentException(
          "weir.store=spring takes the address from Spring's Redis, but "
              + found.getClass().getName()
              + " names none");
    }
    return RedisDetails.single(
        new Server(single.getHost(), single.getPort()), single.getDatabase());
  }

  private static List<Server> servers(List<Node> nodes) {
    return nodes.stream().map(each -> new Server(each.host(), each.port())).toList();
  }
}
