package io.weir.compat.cassandra;

import java.util.List;

/**
 * Where a node stands: its address, its ports, its data centre and its part of the ring.
 *
 * @param address a loopback address, such as {@code 127.0.0.2}
 * @param port where clients connect
 * @param internodePort where other nodes connect, the same for all
 * @param dataCentre its name
 * @param token where its part of the ring ends
 * @param seeds addresses of nodes that it asks for the others
 */
record Place(
    String address,
    int port,
    int internodePort,
    String dataCentre,
    String token,
    List<String> seeds) {
  Place {
    seeds = List.copyOf(seeds);
  }
}
