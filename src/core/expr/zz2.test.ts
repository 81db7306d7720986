import { readFileSync } from "node:fs";
import { test } from "vitest";
import { parseDuration, formatDuration } from "../std/duration.js";
import { parseGoJson, printGoJson, quoteJson } from "../std/go-json.js";
import { quoteGo, formatFloat } from "../std/go-format.js";
import { sprintf } from "../std/printf.js";
import { formatLayout, parseLayout } from "../std/time-layout.js";
import { formatRfc3339Nano, parseRfc3339 } from "../std/time.js";
import { titleCase } from "./sprig/words.js";
test("go",()=>{
 const rs=JSON.parse(readFileSync("/tmp/gox/out.json","utf8"));
 const ts=["2023-03-05T07:08:09.012345678Z","2024-12-31T23:59:59.5+05:30","1969-07-20T20:17:40Z"].map(s=>{const r=parseRfc3339(s); if(!r.ok) throw 1; return r.value});
 let n=0;
 for(const {K,In,Out} of rs){ let got="";
  const E=(r:any,f:any)=>r.ok?f(r.value):"E:"+r.error;
  switch(K){case "dur": got=E(parseDuration(In[0]),formatDuration);break; case "json": got=E(parseGoJson(In[0]),printGoJson);break; case "quote": got=quoteGo(In[0]);break; case "jsonq": got=quoteJson(In[0]);break;
  case "floatv": got=formatFloat(Number(In[0]));break; case "floatj": got=printGoJson(Number(In[0]));break; case "printf": got=sprintf(In[0],[BigInt(In[1])]);break; case "fmt": got=formatLayout(In[0],ts[In[1]]!);break;
  case "parse": got=E(parseLayout(In[0],In[1]),(t:any)=>formatRfc3339Nano({...t,offset:0}));break; case "title": got=titleCase(In[0]);break;}
  if(got!==Out) console.log(K,JSON.stringify(In),"ours",JSON.stringify(got),"go",JSON.stringify(Out)); else n++;
 }
 console.log(n,rs.length);
});
