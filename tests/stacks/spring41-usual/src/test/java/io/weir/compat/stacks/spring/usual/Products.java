package io.weir.compat.stacks.spring.usual;

import org.springframework.data.jpa.repository.JpaRepository;

interface Products extends JpaRepository<Product, Long> {}
