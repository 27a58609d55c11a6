package io.weir.compat.bucket4j;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.grid.hazelcast.Bucket4jHazelcast;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Members of one Hazelcast cluster, connected by the loopback address. */
final class Members implements AutoCloseable {
  private static final String MAP = "buckets";

  private final String cluster = "weir-" + UUID.randomUUID();
  private final List<HazelcastInstance> all = new ArrayList<>();

  private Members() {}

  static Members start(int count) {
    Members members = new Members();
    for (int i = 0; i < count; i++) {
      members.add();
    }
    return members;
  }

  private void add() {
    Config config = new Config();
    config.setClusterName(cluster);
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    for (HazelcastInstance each : all) {
      int port = each.getCluster().getLocalMember().getAddress().getPort();
      join.getTcpIpConfig().addMember("127.0.0.1:" + port);
    }
    all.add(Hazelcast.newHazelcastInstance(config));
  }

  int size() {
    return all.get(0).getCluster().getMembers().size();
  }

  /** Opens the cluster from one of its members, with the members' own clocks. */
  ProxyManager<String> manager(int member) {
    return Bucket4jHazelcast.entryProcessorBasedBuilder(all.get(member).<String, byte[]>getMap(MAP))
        .build();
  }

  /** Opens the cluster with the test's clock. */
  ProxyManager<String> manager(int member, TimeMeter clock) {
    return Bucket4jHazelcast.entryProcessorBasedBuilder(all.get(member).<String, byte[]>getMap(MAP))
        .clientClock(clock)
        .build();
  }

  Set<String> keys() {
    return all.get(0).<String, byte[]>getMap(MAP).keySet();
  }

  void stop(int member) {
    all.get(member).getLifecycleService().terminate();
  }

  @Override
  public void close() {
    all.forEach(each -> each.getLifecycleService().terminate());
  }
}
