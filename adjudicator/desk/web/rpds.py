"""Stand-in"""
class HashTrieMap(dict):
    def insert(self,k,v):
        n=HashTrieMap(self); n[k]=v; return n
    def remove(self,k):
        n=HashTrieMap(self); del n[k]; return n
    def update(self,*a,**k):
        n=HashTrieMap(self); dict.update(n,*a,**k); return n
    @classmethod
    def convert(cls,v): return v if isinstance(v,cls) else cls(v)
    def __hash__(self): return hash(frozenset(self.items()))
class HashTrieSet(frozenset):
    def insert(self,v): return HashTrieSet(self|{v})
    def update(self,*its): return HashTrieSet(self.union(*its))
class List(tuple):
    def __new__(cls,*a): return tuple.__new__(cls, a[0] if len(a)==1 and not isinstance(a[0],str) else a)
    def push_front(self,v): return List((v,*self))
